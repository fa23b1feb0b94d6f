/** The settings of the platform that say what runs here and where, as docs/configuration.md names them. */
export interface Settings {
  readonly DATA_DIR: string;
  readonly HOST: string;
  /** 0 for any port. */
  readonly PORT: number;
  readonly INBOUND_SMTP_PORT: number;
  /** Absent for the default port of submission. */
  readonly SUBMISSION_PORT?: number | undefined;
  readonly TEMPORAL_UI_PORT: number;
  readonly METRICS_HOST: string;
  readonly METRICS_PORT?: number | undefined;
  /** Servers that are given are not started. */
  readonly MONGODB_URI?: string | undefined;
  readonly TEMPORAL_ADDRESS?: string | undefined;
  readonly TEMPORAL_NAMESPACE: string;
  readonly SMTP_URL?: string | undefined;
  /** Executables that are given are not looked for. */
  readonly MONGOD_BINARY?: string | undefined;
  readonly TEMPORAL_BINARY?: string | undefined;
}

/** Whether a `Host` header names this machine: the page of a stranger could otherwise read what listens here, through a name that leads here. */
export type HostCheck = (host: string | undefined) => boolean;

/** A logger in the manner of pino. */
export interface Log {
  info(about: object, message: string): void;
  info(message: string): void;
  warn(about: object, message: string): void;
}
