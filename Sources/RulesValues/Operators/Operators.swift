/// The operators of the language. Results may be failures. Operands are none, since lowering passes failures on
/// before it calls; only `in`, index and slice also take operands that failed, because there a receiver that has no
/// such operator complains first (observed on the official emulator 1.19.9: `null[1 / 0]` is a null value error).
/// Everything here is a function of the operands alone.
public enum Operators {}
