/** A fault of the embedded database that an operator can mend: the message is one sentence that says how. */
export class EmbeddedPostgresFault extends Error {
  override name = 'EmbeddedPostgresFault'
}

/** Says what to do about an error of the file system; returns any other error as it is. */
export function explain(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresFault) return error
  const { code, path = dataDir } = error as NodeJS.ErrnoException
  const sentence = sentences[code ?? '']
  return sentence ? new EmbeddedPostgresFault(sentence(path), { cause: error }) : error
}

/** Says what to do about a line that PostgreSQL left when it would not start. */
export function explainLine(line: string, dir: string, logFile: string): EmbeddedPostgresFault {
  if (/no space left|quota exceeded/i.test(line)) return new EmbeddedPostgresFault(diskFull(dir))
  if (/permission denied/i.test(line)) return new EmbeddedPostgresFault(`${noAccess(dir)} (${line})`)
  if (/could not look up effective user/i.test(line)) return new EmbeddedPostgresFault(noPasswdEntry())
  return new EmbeddedPostgresFault(`PostgreSQL did not start: ${line || 'it said nothing'} (see ${logFile}).`)
}

const noAccess = (path: string) =>
  `Crosswalk may not use ${path}: give the user it runs as the right to, or set DATA_DIR to a folder of its own.`
const diskFull = (path: string) =>
  `The disk that holds ${path} is full: free some space, or set DATA_DIR to a folder on another disk.`
const readOnly = (path: string) =>
  `${path} is on a read-only file system: set DATA_DIR to a folder that can be written.`
const notAFolder = (path: string) => `${path} is not a folder: set DATA_DIR to one, or move the file away.`
const noPasswdEntry = () =>
  `PostgreSQL needs the user it runs as (uid ${process.getuid?.()}) to have an entry in /etc/passwd: add one, or set DATABASE_URL.`

const sentences: Record<string, (path: string) => string> = {
  EACCES: noAccess,
  EPERM: noAccess,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EROFS: readOnly,
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
}
