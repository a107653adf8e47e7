/// A workflow of GitHub Actions that checks rules with every push and pull request.
struct StarterWorkflow {
  /// Where the project is inside the repository; empty: at its root.
  let folder: String
  /// Where the program is fetched; without one, where a variable of the repository says.
  let url: String?

  var text: String {
    let address = url ?? "${{ vars.RULES_TEST_URL }}"
    // A text in single quotes, as YAML reads it.
    let quoted = "'" + folder.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    let place =
      folder.isEmpty ? "" : "    defaults:\n      run:\n        working-directory: \(quoted)\n"
    return """
      # Tests the Firestore security rules. Written by rules-test init, and yours to change.
      name: rules

      on:
        push:
        pull_request:

      permissions:
        contents: read

      jobs:
        rules:
          runs-on: ubuntu-latest
          timeout-minutes: 10
      \(place)    steps:
            - uses: actions/checkout@v4

            - name: Install z3, which proves invariants
              run: sudo apt-get update --quiet && sudo apt-get install --yes --quiet z3

            - name: Fetch rules-test
              env:
                RULES_TEST_URL: \(address)
                # If set, the program must have this sum: sha256sum build/rules-test
                RULES_TEST_SHA256: ${{ vars.RULES_TEST_SHA256 }}
              run: |
                if [ -z "$RULES_TEST_URL" ]; then
                  echo '::error::Set the variable RULES_TEST_URL: Settings, Secrets and variables, Actions, Variables.'
                  exit 1
                fi
                program="$RUNNER_TEMP/rules-test/rules-test"
                mkdir -p "$RUNNER_TEMP/rules-test"
                curl --fail --silent --show-error --location --retry 3 --output "$program" "$RULES_TEST_URL"
                if [ -n "$RULES_TEST_SHA256" ]; then echo "$RULES_TEST_SHA256  $program" | sha256sum --check --quiet; fi
                chmod +x "$program"
                echo "$RUNNER_TEMP/rules-test" >> "$GITHUB_PATH"

            - name: Look for what rules do that is seldom meant
              run: rules-test lint

            # What fails is annotated at its line.
            - name: Test
              run: rules-test --coverage

      """
  }
}
