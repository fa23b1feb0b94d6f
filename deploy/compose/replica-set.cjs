// Run by mongosh: makes the replica set of MEMBERS or brings its members up to date, and the user of the platform. May be run again at any time.
const { MEMBERS, MONGO_PASSWORD, MONGO_ROOT_PASSWORD } = process.env;
const members = MEMBERS.split(',').map((host, _id) => ({ _id, host }));
const root = `root:${encodeURIComponent(MONGO_ROOT_PASSWORD)}`;

const first = connect(`mongodb://${root}@${members[0].host}/admin?directConnection=true`);
try {
  first.adminCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  first.adminCommand({ replSetInitiate: { _id: 'rs0', members: members.slice(0, 1) } });
}
while (!first.hello().setName || (!first.hello().isWritablePrimary && !first.hello().secondary)) sleep(200);

const set = connect(`mongodb://${root}@${MEMBERS}/admin?replicaSet=rs0`);
// One voting member at a time, each once it has caught up: a majority is there at every moment.
for (const { host } of members) {
  const { config } = set.adminCommand({ replSetGetConfig: 1 });
  if (config.members.some((member) => member.host === host)) continue;
  config.version += 1;
  config.members.push({ _id: Math.max(...config.members.map((member) => member._id)) + 1, host });
  set.adminCommand({ replSetReconfig: config });
  const isThere = () => set.adminCommand({ replSetGetStatus: 1 }).members.some(({ name, state }) => name === host && state === 2);
  while (!isThere()) sleep(500);
}

const user = { roles: [{ role: 'readWrite', db: 'lettermill' }], pwd: MONGO_PASSWORD };
if (set.getUser('lettermill') === null) set.createUser({ user: 'lettermill', ...user });
else set.updateUser('lettermill', user);
