-- What was rewritten stays on disk until the engine cleans up, in its own time; this makes it do so now.
SYSTEM START CLEANUP
