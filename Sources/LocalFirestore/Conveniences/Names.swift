import RulesEngine
import RulesValues

// Types of other rooms that whoever uses a client meets, so that `import LocalFirestore` is enough.

public typealias Auth = RulesEngine.Auth
public typealias Denial = RulesEngine.Denial
public typealias Dialect = RulesEngine.Dialect
public typealias Explanation = RulesEngine.Explanation
public typealias QueryMode = RulesEngine.QueryMode
public typealias RequestBudget = RulesEngine.RequestBudget
public typealias RulesError = RulesEngine.RulesError
public typealias Ruleset = RulesEngine.Ruleset
public typealias DataValue = RulesValues.DataValue
public typealias Fields = RulesValues.Fields
public typealias ResourcePath = RulesValues.ResourcePath
public typealias Timestamp = RulesValues.Timestamp
