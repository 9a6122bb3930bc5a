// Preloaded into a process (NODE_OPTIONS=--import). If the file in REPORT_OPEN_FILE is still open at the exit, prints
// its path to standard error.
import { fstatSync, readdirSync, statSync } from 'node:fs'

const path = process.env.REPORT_OPEN_FILE

function isOpen(file: string): boolean {
  const { dev, ino } = statSync(file)
  return readdirSync('/dev/fd').some((fd) => {
    try {
      const found = fstatSync(Number(fd))
      return found.dev === dev && found.ino === ino
    } catch {
      return false // the folder was listed with a descriptor that is closed by now
    }
  })
}

process.on('exit', () => {
  if (path !== undefined && isOpen(path)) process.stderr.write(`still open: ${path}\n`)
})
