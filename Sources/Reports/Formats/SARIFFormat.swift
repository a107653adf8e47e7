import JSON
import RulesSyntax

/// SARIF 2.1.0, for GitHub's code scanning and other viewers. Columns count Unicode code points.
enum SARIFFormat {
  static func text(_ run: RunRecord, _ paths: ReportPaths, version: String) -> String {
    let problems = run.problems
    var ids: [String] = []
    for problem in problems where !ids.contains(problem.id) { ids.append(problem.id) }
    ids.sort()
    var counts: [String: Int] = [:]
    let results = problems.map { problem -> JSONValue in
      let key = Fingerprint.key(problem, paths)
      let number = counts[key, default: 0]
      counts[key] = number + 1
      return result(problem, ids.firstIndex(of: problem.id) ?? 0, Fingerprint.text(key + "\u{0}\(number)"), paths)
    }
    let log: JSONValue = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [
        [
          "tool": [
            "driver": [
              "name": "rules-test", "semanticVersion": .string(version),
              "rules": .array(ids.map { rule($0, problems) }),
            ]
          ],
          "columnKind": "unicodeCodePoints",
          "originalUriBaseIds": ["SRCROOT": ["description": ["text": "The root of the repository."]]],
          "invocations": [["executionSuccessful": true, "exitCode": .int(run.hasPassed ? 0 : 1)]],
          "results": .array(results),
        ]
      ],
    ]
    return log.serialized(pretty: true) + "\n"
  }

  private static func rule(_ id: String, _ problems: [RunRecord.Problem]) -> JSONValue {
    let first = problems.first { $0.id == id }
    let meaning = Meanings.of(id).first?.plainCause ?? id.split(separator: "-").joined(separator: " ")
    return [
      "id": .string(id), "shortDescription": ["text": .string(meaning)],
      "defaultConfiguration": ["level": .string((first?.severity ?? .error).rawValue)],
    ]
  }

  private static func result(
    _ problem: RunRecord.Problem, _ index: Int, _ fingerprint: String, _ paths: ReportPaths
  ) -> JSONValue {
    let message = ([problem.message] + problem.notes).map { SafeText.line($0) }.joined(separator: "\n")
    var object: JSONObject = [
      "ruleId": .string(problem.id), "ruleIndex": .int(Int64(index)), "level": .string(problem.severity.rawValue),
      "message": ["text": .string(message)],
      "locations": [["physicalLocation": location(problem.file, problem.range, paths)]],
      "partialFingerprints": ["rulesTest/v1": .string(fingerprint)],
    ]
    if !problem.related.isEmpty {
      object["relatedLocations"] = .array(
        problem.related.enumerated().map { i, place in
          [
            "id": .int(Int64(i + 1)), "physicalLocation": location(place.file, place.range, paths),
            "message": ["text": .string(SafeText.line(place.message))],
          ]
        })
    }
    return .object(object)
  }

  private static func location(_ file: String, _ range: SourceRange?, _ paths: ReportPaths) -> JSONValue {
    let path = paths.path(file)
    var artifact: JSONObject = ["uri": .string(uri(path))]
    // What lies outside of the root is named as it is.
    if !path.hasPrefix("/") { artifact["uriBaseId"] = "SRCROOT" }
    guard let range else { return ["artifactLocation": .object(artifact)] }
    return [
      "artifactLocation": .object(artifact),
      "region": [
        "startLine": .int(Int64(range.start.line)), "startColumn": .int(Int64(range.start.column)),
        "endLine": .int(Int64(range.end.line)), "endColumn": .int(Int64(range.end.column)),
      ],
    ]
  }

  /// A path as RFC 3986 has it.
  private static func uri(_ path: String) -> String {
    var result = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2F:
        result.unicodeScalars.append(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }
}
