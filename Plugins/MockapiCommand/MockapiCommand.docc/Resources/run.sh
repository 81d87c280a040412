swift package mockapi check Tests/AppTests/Fixtures
swift package mockapi run Tests/AppTests/Fixtures -- ./smoke-test.sh
