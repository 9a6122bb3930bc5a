/** A fault of the embedded database that an operator can fix. The message is one sentence that says how to fix it. */
export class EmbeddedPostgresFault extends Error {
  override name = 'EmbeddedPostgresFault'
}

/**
 * Turns an error of the file system into a fault that says what to do. Other errors stay unchanged.
 */
export function explainFileError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresFault) return error
  const { code = '', syscall = '', path, dest = path } = error as NodeJS.ErrnoException & { dest?: string }
  // Name DATA_DIR instead of files inside it: an operator does not know these files.
  const place = !dest || dest.startsWith(`${dataDir}/`) ? dataDir : dest
  const sentence = syscall.startsWith('spawn') ? spawnSentences[code] : sentencesByCode[code]
  return sentence ? new EmbeddedPostgresFault(sentence(place), { cause: error }) : error
}

/** Turns PostgreSQL's log line about a failed start into a fault that says what to do. `place` is the data folder. */
export function explainLogLine(line: string, place: string, logFile?: string): EmbeddedPostgresFault {
  if (/no space left|quota exceeded/i.test(line)) return new EmbeddedPostgresFault(diskFull(place))
  if (/could not look up effective user/i.test(line)) return new EmbeddedPostgresFault(noPasswdEntry())
  const more = logFile ? ` (see ${logFile})` : ` (in ${place})`
  return new EmbeddedPostgresFault(`PostgreSQL did not start: ${line || 'it did not say why'}${more}.`)
}

const noAccess = (path: string) =>
  `Crosswalk has no permission to use ${path}: give it to the user that runs Crosswalk, or set DATA_DIR to another folder.`
const diskFull = (path: string) =>
  `The disk of ${path} is full: free some space, or set DATA_DIR to a folder on another disk.`
const readOnly = (path: string) =>
  `${path} is on a read-only file system: set DATA_DIR to a folder that can be written.`
const notAFolder = (path: string) => `${path} is not a folder: set DATA_DIR to one, or move the file away.`
const noExecution = (path: string) =>
  `PostgreSQL may not be run from ${path}: mount that file system without noexec, or set DATA_DIR to a folder on another one.`
const wrongMachine = () =>
  'The PostgreSQL binaries do not run on this system (they need glibc): set DATABASE_URL to a PostgreSQL of your own.'
const noPasswdEntry = () =>
  `The user that runs PostgreSQL (uid ${process.getuid?.()}) has no entry in /etc/passwd: add one, or set DATABASE_URL.`

const sentencesByCode: Record<string, (path: string) => string> = {
  EACCES: noAccess,
  EPERM: noAccess,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EROFS: readOnly,
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
}
const spawnSentences: Record<string, (path: string) => string> = {
  EACCES: noExecution,
  ENOENT: wrongMachine, // the program exists, but its loader is missing
  ENOEXEC: wrongMachine,
}
