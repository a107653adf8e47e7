enum CaseFoldingTable { static let orbits = "41=61 4b=6b=212a 53=73=17f" }
