# Makes Temporal's databases and their tables, and brings the tables up to date. May be run again at any time.
set -eu
for database in temporal temporal_visibility; do
  schema=/etc/temporal/schema/postgresql/v12/${database#temporal_}/versioned
  temporal-sql-tool --db "$database" create
  temporal-sql-tool --db "$database" setup-schema -v 0.0
  temporal-sql-tool --db "$database" update-schema -d "$schema"
done
