'use strict';

const net = require('node:net');

// The members of a replica set tell the driver each other's addresses, so a connection string cannot lead a process to them by another way.
const through = JSON.parse(process.env.LETTERMILL_TEST_LINES);
const { createConnection } = net;

net.createConnection = (options, ...more) => createConnection({ ...options, port: through[options.port] ?? options.port }, ...more);
