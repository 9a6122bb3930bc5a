// A test preloads this file into a process (NODE_OPTIONS=--import). An exiting process prints the path in
// REPORT_OPEN_FILE to standard error if that file is still open.
import { fstatSync, readdirSync, statSync } from 'node:fs'

const path = process.env.REPORT_OPEN_FILE

function isOpen(file: string): boolean {
  const { dev, ino } = statSync(file)
  return readdirSync('/dev/fd').some((fd) => {
    try {
      const found = fstatSync(Number(fd))
      return found.dev === dev && found.ino === ino
    } catch {
      return false // The descriptor that listed the folder is closed by now.
    }
  })
}

process.on('exit', () => {
  if (path !== undefined && isOpen(path)) process.stderr.write(`still open: ${path}\n`)
})
