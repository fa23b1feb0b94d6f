/*
 * Leases and presence: what a process may do as long as it keeps reporting, by the database's clock.
 *
 * - `Lease`: one process of all has a right, such as to migrate the database. It is a member of the row that the right is about, so that its holder's changes
 *   and its loss are one write each: a process that lost it changes nothing more.
 * - `Presence`: a row for each process, with what it does. Others list those that are present (`IS_PRESENT`), and take over from those that are not.
 *
 * | killed                       | found                                | happens                                                              |
 * |------------------------------|--------------------------------------|----------------------------------------------------------------------|
 * | with a lease                 | a row whose lease ends               | the next one that asks after its end has it                          |
 * | stopped past its end, resumed | another holder, or none             | `change` resolves to false, and `take` to false where another has it |
 * | with a presence              | a row whose lease ends               | it is taken for lost then; the row is forgotten a day later          |
 * | two make the row at once     | one row                              | the other one has it                                                 |
 */
export { Lease, leaseMember } from './lease';
export type { LeaseHolder } from './lease';
export { IS_PRESENT, Presence, presenceModel } from './presence';
export type { PresentRow } from './presence';
