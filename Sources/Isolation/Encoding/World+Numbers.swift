/// Numbers as the rules compare them: ints by themselves, else as doubles.
extension World {
  /// An integer as the double that it is compared as.
  func double(_ i: Term) -> Term {
    let exact: Int64 = 1 << 53
    if case .int(let n) = store[i].operation, n.magnitude <= UInt64(exact) { return store.real(n) }
    let rounded = store.apply("i2d", [i], .real)
    assume(
      store.and(
        store.lessOrEqual(store.toReal(store.subtract(i, store.int(512))), rounded),
        store.lessOrEqual(rounded, store.toReal(store.add(i, store.int(512))))))
    let isExact = store.and(store.lessOrEqual(store.int(-exact), i), store.lessOrEqual(i, store.int(exact)))
    return store.ite(isExact, store.toReal(i), rounded)
  }

  /// Kind and number of an int or float.
  func number(_ v: Term) -> (kind: Term, number: Term) {
    let isInt = store.has(.int, v)
    return (
      store.ite(isInt, store.int(FloatKind.finite), store.part(.float, v, 0)),
      store.ite(isInt, double(store.part(.int, v)), store.part(.float, v, 1))
    )
  }

  func numbersEqual(_ a: Term, _ b: Term) -> Term {
    let bothInt = store.and(store.has(.int, a), store.has(.int, b))
    if bothInt == store.yes { return store.equal(store.part(.int, a), store.part(.int, b)) }
    let (x, y) = (number(a), number(b))
    func isFinite(_ kind: Term) -> Term {
      store.or(store.equal(kind, store.int(FloatKind.finite)), store.equal(kind, store.int(FloatKind.minusZero)))
    }
    let asDoubles = store.or(
      store.and(isFinite(x.kind), isFinite(y.kind), store.equal(x.number, y.number)),
      store.and(
        store.equal(x.kind, y.kind), store.not(isFinite(x.kind)),
        store.not(store.equal(x.kind, store.int(FloatKind.nan)))))
    return store.ite(bothInt, store.equal(store.part(.int, a), store.part(.int, b)), asDoubles)
  }

  func numberLess(_ a: Term, _ b: Term) -> Term {
    let bothInt = store.and(store.has(.int, a), store.has(.int, b))
    let asInts = store.less(store.part(.int, a), store.part(.int, b))
    if bothInt == store.yes { return asInts }
    let (x, y) = (number(a), number(b))
    func isKind(_ kind: Term, _ wanted: Int64) -> Term { store.equal(kind, store.int(wanted)) }
    let neitherNaN = store.not(store.or(isKind(x.kind, FloatKind.nan), isKind(y.kind, FloatKind.nan)))
    let asDoubles = store.and(
      neitherNaN, store.not(isKind(x.kind, FloatKind.infinity)), store.not(isKind(y.kind, FloatKind.minusInfinity)),
      store.or(
        isKind(x.kind, FloatKind.minusInfinity), isKind(y.kind, FloatKind.infinity), store.less(x.number, y.number)))
    return store.ite(bothInt, asInts, asDoubles)
  }

  /// That no list or map is the same as another but for the kind of a number in it, nor differs from itself. No fact,
  /// but a wish.
  var hasNoOddities: Term {
    store.not(
      store.or(insides.map { store.apply("sameInside", [$0.0, $0.1], .bool) } + nans.map(\.holds)))
  }

  /// That no stored number is large. No fact, but a wish.
  var hasSmallNumbers: Term {
    store.and(
      lookups.map { lookup in
        let (i, number) = (store.part(.int, lookup.value), store.part(.float, lookup.value, 1))
        return store.and(
          store.implies(
            store.has(.int, lookup.value),
            store.and(store.lessOrEqual(store.int(-1_000), i), store.lessOrEqual(i, store.int(1_000)))),
          store.implies(
            store.has(.float, lookup.value),
            store.and(store.lessOrEqual(store.real(-1_000), number), store.lessOrEqual(number, store.real(1_000)))))
      })
  }
}
