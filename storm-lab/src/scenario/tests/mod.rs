mod builtins;
