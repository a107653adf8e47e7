// A definition with a value reaches C only, and needs no unsafe flag.
#include "CBuild.h"

const char *rules_test_commit(void) { return RULES_TEST_COMMIT; }
