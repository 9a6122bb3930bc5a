// The baseline server: only node:http, pg and JSON.stringify, without checks. Runs the given statements in order, and
// answers with the rows of the last one.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { Pool, type QueryConfig } from 'pg'
import { v7 } from 'uuid'
import { namesIn, type Program, replaced } from './program.ts'

const [url, orgId] = process.argv.slice(2)
const pool = new Pool({ connectionString: url, max: 16, options: `-c app.org_id=${orgId}` })
let program: Program = { statements: [], names: [], fresh: [] }
let prepared: { name: string; text: string; values: readonly unknown[] }[] = []
process.on('message', (given: Program) => {
  program = given
  prepared = given.statements.map((statement) => ({
    ...statement,
    name: createHash('sha256').update(statement.text).digest('base64url').slice(0, 22),
  }))
  process.send!('ready')
})

const bodyOf = async (request: IncomingMessage) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const text = Buffer.concat(pieces).toString()
  return text === '' ? '' : JSON.stringify(JSON.parse(text))
}

let hasFailed = false
const server = createServer(async (request, response) => {
  try {
    const body = request.method === 'GET' ? '' : await bodyOf(request)
    const by = new Map<string, string>()
    if (program.names.length > 0)
      for (const [index, name] of namesIn(request.url!, body).entries()) by.set(program.names[index]!, name)
    for (const id of program.fresh) by.set(id, v7())
    const ready =
      by.size === 0
        ? prepared
        : prepared.map(({ values, ...rest }) => ({ ...rest, values: values.map((v) => replaced(v, by)) }))
    const rows = request.method === 'GET' ? await read(ready) : await write(ready)
    const text = JSON.stringify({ data: rows })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    response.writeHead(200, headers).end(text)
  } catch (error) {
    const text = String(error)
    if (!hasFailed) console.error(`the bare handler failed: ${text}`)
    hasFailed = true
    response.writeHead(500, { 'content-length': Buffer.byteLength(text) }).end(text)
  }
})

const read = async (statements: typeof prepared) => {
  let rows: unknown[] = []
  for (const statement of statements) rows = (await pool.query(statement as QueryConfig)).rows
  return rows
}

const write = async (statements: typeof prepared) => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement as QueryConfig)).rows
    await client.query('commit')
    return rows
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send!(typeof address === 'object' && address ? address.port : 0)
})
