print("rules-test")
