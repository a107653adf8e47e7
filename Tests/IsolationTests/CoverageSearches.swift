import Isolation
import RulesEngine
import RulesSyntax
import Testing

/// Requests are found for what no test has made happen, through functions and their lets too; for what cannot happen
/// none is.
@Suite struct CoverageSearches {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function member(team) {
          let path = /databases/$(database)/documents/teams/$(team);
          return exists(path) && get(path).data.open == true;
        }
        function allowed(team, role) {
          return member(team) || request.auth.token.role == role;
        }
        match /teams/{team}/notes/{note} {
          allow get: if request.auth != null && allowed(team, 'editor');
          allow create: if request.resource.data.title is string ? request.resource.data.n > 3 : false;
          allow delete;
        }
        match /closed/{id} { allow read: if request.auth != null && !(request.auth != null); }
      }
    }
    """

  @Test(.enabled(if: solverIsThere)) func whatCanHappenIsFound() throws {
    let ruleset = try Ruleset(Self.rules)
    let search = CoverageSearch(ruleset, solver: SolverSession())
    var missed: [String] = []
    for goal in ruleset.coverageGoals {
      guard case .found = search.search(goal).outcome else {
        missed.append("\(goal.range.start.line): \(goal.half.rawValue)")
        continue
      }
    }
    // Nobody is signed in and is not: the whole is never true, and so is neither half that it would take.
    #expect(missed == ["16: true", "16: false"], "\(missed)")
  }
}
