// Renders the examples of docs/signatures/examples as a mail program would show them, in headless Chromium.
//
//   node_modules/.bin/node scripts/render-signatures.ts <folder for the PNGs> [name …]
//
// The pictures of the examples do not exist on the web, so the rendered page gets drawn pictures instead.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileSignature } from '../src/signatures/compile/compile.ts'
import { signatureExamples } from './signature-examples.ts'

const widths = [360, 640]
const [folder, ...names] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name a folder for the pictures')
mkdirSync(folder, { recursive: true })

type Send = (method: string, params: object) => Promise<Record<string, unknown>>

const profile = mkdtempSync(join(tmpdir(), 'signatures-'))
const chromium = spawn(
  process.env.CHROMIUM ?? 'chromium',
  [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    'about:blank',
  ],
  { stdio: 'ignore' },
)
try {
  const send = await connect()
  for (const { name, template, data } of signatureExamples()) {
    if (names.length > 0 && !names.includes(name)) continue
    const { html, text, size, warnings } = compileSignature(template, data)
    console.log(`${name}: ${size} characters`, ...warnings.map(({ message }) => `\n  ${message}`))
    writeFileSync(join(folder, `${name}.txt`), `${text}\n`)
    for (const width of widths)
      writeFileSync(join(folder, `${name}-${width}.png`), await picture(send, html, width))
  }
} finally {
  chromium.kill()
  await sleep(300)
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
}

async function picture(send: Send, html: string, width: number): Promise<Buffer> {
  const body = `<!doctype html><meta charset="utf-8"><body style="margin:16px;background:#fff">${withPictures(html)}</body>`
  await send('Emulation.setDeviceMetricsOverride', {
    width,
    height: 100,
    deviceScaleFactor: 2,
    mobile: false,
  })
  await send('Page.navigate', { url: `data:text/html;base64,${Buffer.from(body).toString('base64')}` })
  await sleep(250)
  const expression = 'Math.ceil(document.body.getBoundingClientRect().height) + 32'
  const { result } = (await send('Runtime.evaluate', { expression })) as { result: { value: number } }
  const clip = { x: 0, y: 0, width, height: result.value, scale: 1 }
  const { data } = await send('Page.captureScreenshot', { clip, captureBeyondViewport: true })
  return Buffer.from(String(data), 'base64')
}

function withPictures(html: string): string {
  return html.replaceAll(
    /<img src="([^"]*)" alt="([^"]*)" width="(\d+)" height="(\d+)"/g,
    (tag, src, alt, width, height) => {
      const drawn = Number(width) > Number(height) ? logo(alt, width, height) : portrait(width, height)
      return tag.replace(src, `data:image/svg+xml;base64,${Buffer.from(drawn).toString('base64')}`)
    },
  )
}

function portrait(width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${width}" height="${height}"><rect width="100" height="100" fill="#d7e3e6"/><circle cx="50" cy="112" r="46" fill="#53707c"/><circle cx="50" cy="42" r="20" fill="#c99b7d"/><path d="M29 42a21 21 0 0 1 42 0c-7-9-16-12-21-12s-14 3-21 12" fill="#3b2f2b"/></svg>`
}

function logo(name: string, width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 132 36" width="${width}" height="${height}"><circle cx="17" cy="18" r="15" fill="#b45309"/><path d="M6 24l11-15 11 15" stroke="#fff" stroke-width="3" fill="none"/><text x="39" y="25" font-family="Helvetica,Arial" font-weight="bold" font-size="19" fill="#1f2937">${name}</text></svg>`
}

/** Speaks the protocol of Chromium's DevTools. */
async function connect(): Promise<Send> {
  const port = await portOf(join(profile, 'DevToolsActivePort'))
  const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    type: string
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(pages.find(({ type }) => type === 'page')!.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
  }
  let last = 0
  return (method, params) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}

async function portOf(file: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      const [port] = readFileSync(file, 'utf8').split('\n')
      if (port) return port
    } catch {
      // Try again: Chromium has not written the file yet.
    }
    await sleep(100)
  }
  throw new Error('Chromium did not start')
}
