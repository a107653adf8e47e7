extension Library {
  /// The method `name` of whatever types have one; `nil` when no type does.
  public static func method(_ name: String) -> LibraryMethod? {
    switch name {
    case "size":
      return { receiver, arguments, arena in
        switch receiver.tag {
        case .list: return ListMethods.size(receiver, arguments, arena)
        default: return arena.noMethod(receiver, "size")
        }
      }
    default:
      return nil
    }
  }
}
