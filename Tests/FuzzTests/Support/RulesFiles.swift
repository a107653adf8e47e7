/// A rules file with one condition, which begins at line 4, column 1.
func rulesFile(condition: String) -> String {
  "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\nmatch /t/{id} { allow get: if\n\(condition)\n; } } }\n"
}

func rulesFile(body: String) -> String {
  "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n\(body)\n} }\n"
}
