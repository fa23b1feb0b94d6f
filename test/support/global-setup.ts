/** Starts the servers that the tests talk to. */
export default function globalSetup(): void {}
