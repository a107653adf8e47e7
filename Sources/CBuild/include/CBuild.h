#pragma once

/// The commit that the program was built from, as `make build` gives it; empty: not known.
const char *rules_test_commit(void);
