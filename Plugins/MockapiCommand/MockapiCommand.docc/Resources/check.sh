swift package mockapi check Tests/AppTests/Fixtures
