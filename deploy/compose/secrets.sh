#!/bin/sh
# Prints what .env of docker-compose.yml wants: fresh secrets, what only a new installation can have, and the two settings that only you know.
set -eu
for name in APP_SECRET MONGO_ROOT_PASSWORD MONGO_PASSWORD MONGO_REPLICA_KEY TEMPORAL_DB_PASSWORD GRAFANA_PASSWORD; do
  echo "$name=$(od -An -tx1 -N32 /dev/urandom | tr -d ' \n')"
done
# Fairness between projects can be had from the first start only.
echo 'TEMPORAL_DYNAMIC_CONFIG=temporal-dynamic-config-new.yaml'
echo '# The mail server that mail is handed to, smtp[s]://user:password@host:port, or direct: for the recipients'\'' own.'
echo 'SMTP_URL='
echo '# The address under which recipients reach the API, https://mail.example.com; http://localhost for a trial.'
echo 'PUBLIC_URL='
