/**
 * The patches of workflows (`patched()`), each with the schema version (src/platform/mongo/versions.ts) that it came with. A new workflow takes the patched branch
 * once that version is contracted: until then a worker of the previous release may have to continue the workflow, and does not know the patch. CONTRIBUTING.md
 * (Change a workflow) says when a change needs one, and when to remove it.
 */
export const PATCHES: Readonly<Record<string, number>> = {};
