"""The doctor: from an error or a risky run of a script to cause, place and repairs."""
