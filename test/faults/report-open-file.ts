// Preloaded by a test into a process of ours (NODE_OPTIONS=--import): when the process exits, it names the file of
// REPORT_OPEN_FILE on standard error if the process still has that file open.
import { fstatSync, readdirSync, statSync } from 'node:fs'

const path = process.env.REPORT_OPEN_FILE

function isOpen(file: string): boolean {
  const { dev, ino } = statSync(file)
  return readdirSync('/dev/fd').some((fd) => {
    try {
      const found = fstatSync(Number(fd))
      return found.dev === dev && found.ino === ino
    } catch {
      return false // The descriptor of the listing itself is closed by now.
    }
  })
}

process.on('exit', () => {
  if (path !== undefined && isOpen(path)) process.stderr.write(`still open: ${path}\n`)
})
