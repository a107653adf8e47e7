/// The methods of lists.
public enum ListMethods {
  public static func size(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.listSize, arguments) }
    return .int(Int64(receiver.count))
  }
}
