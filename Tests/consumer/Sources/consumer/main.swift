import RulesEngine

print("consumer: RulesEngine is linked")
