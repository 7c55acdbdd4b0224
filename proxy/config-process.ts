// The process that reads the configuration anew for the program (SIGHUP), which serves its sockets meanwhile.
// - The parser of YAML takes up to 0.7 s for 300 sites, and a disk may not answer.
// - It sends the configuration to its parent, or what is wrong with it, and ends.
import { ConfigError, readConfig, type Config, type ConfigProblem } from './config.ts';

/** What the parent gets. */
export type ConfigMessage = { readonly config: Config } | { readonly problems: readonly ConfigProblem[] };

function readAnew(): ConfigMessage {
  try {
    return { config: readConfig(process.env) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problems: error.problems };
  }
}

process.send?.(readAnew(), () => process.disconnect());
