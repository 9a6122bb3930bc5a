import { literal, multiLineLiteral, quoted, sampleWidth, typescript } from './code-sample-literal.ts'
import { nounOf, type SampleRequest } from './code-sample-request.ts'
import { type SdkArgument, sdkAnswer, sdkArguments } from './sdk-arguments.ts'

/** Returns the request of a sample as a TypeScript program with the SDK. */
export function typescriptSample(request: SampleRequest): string {
  const { imports, statements } = programOf(request)
  return `import { Crosswalk } from '@crosswalk/sdk'
${imports.map((line) => `${line}\n`).join('')}
const crosswalk = new Crosswalk({
  apiKey: process.env.CROSSWALK_API_KEY,
  baseUrl: '${request.address}',
})

${statements}`
}

type Program = { imports: string[]; statements: string }

function programOf(request: SampleRequest): Program {
  const { endpoint, operation, body } = request
  const method = `crosswalk.${endpoint.sdk}`
  const upload = /^(.*)\.imports\.create$/.exec(method)
  if (upload && body && 'file' in body) return fileUpload(request, upload[1] ?? '', body.file)
  const call = (head: string, tail = '') => callText(head + method, argumentTexts(request), tail)
  const imports = body && 'file' in body ? [`import { readFile } from 'node:fs/promises'`] : []
  const name = answerName(request)
  if (operation['x-sdk-shape'] === 'page')
    return {
      imports,
      statements: `${call(`for await (const ${name} of `, ') {')}\n  console.log(${name})\n}`,
    }
  if (operation['x-sdk-shape'] === 'stream')
    return {
      imports: [`import { writeFile } from 'node:fs/promises'`],
      statements: `${call('const file = await ')}\nawait writeFile('${nounOf(endpoint)}.csv', file)`,
    }
  return { imports, statements: call(name ? `const ${name} = await ` : 'await ') }
}

/** The sample of an import streams its file from the disk. */
function fileUpload({ endpoint }: SampleRequest, records: string, file: string): Program {
  const { csv: _, ...options } = (endpoint.example ?? {}) as Record<string, unknown>
  const last = Object.keys(options).length > 0 ? [{ object: options }] : []
  return {
    imports: [`import { importFile } from '@crosswalk/sdk/node'`],
    statements: callText('const importJob = await importFile', [records, quoted(file), ...last]),
  }
}

type Argument = string | { object: object }

/** Returns the arguments of the call. Optional arguments at the end are left out if the sample does not need them. */
function argumentTexts(request: SampleRequest): Argument[] {
  const { ifMatch, operation, endpoint } = request
  const given = sdkArguments(endpoint.path, operation).map((argument) => argumentText(argument, request))
  if (ifMatch !== undefined) given.push({ object: { ifMatch } })
  while (given.length > 0 && given.at(-1) === undefined) given.pop()
  return given.map((one) => one ?? 'undefined')
}

function argumentText(
  argument: SdkArgument,
  { pathValues, queryValues, body }: SampleRequest,
): Argument | undefined {
  if (argument.kind === 'id') return literal(pathValues[argument.parameter.name], typescript, sampleWidth)
  if (argument.kind === 'query')
    return Object.keys(queryValues).length > 0 ? { object: queryValues } : undefined
  if (body && 'file' in body) return `await readFile(${quoted(body.file)})`
  return body ? { object: body.json as object } : undefined
}

/**
 * A call on one line if it fits. Otherwise an object as last argument gets several lines; if that does not help, each
 * argument gets a line.
 */
function callText(head: string, given: Argument[], tail = ''): string {
  const text = (argument: Argument, width: number, indent = '') =>
    typeof argument === 'string'
      ? argument
      : literal(argument.object, typescript, width, indent, indent.length)
  const short = given.map((argument) => text(argument, Number.POSITIVE_INFINITY))
  const line = `${head}(${short.join(', ')})${tail}`
  if (line.length <= sampleWidth) return line
  const last = given.at(-1)
  const start = [...short.slice(0, -1), ''].join(', ')
  const others = given.slice(0, -1).every((argument) => typeof argument === 'string')
  if (typeof last === 'object' && others && head.length + start.length < sampleWidth)
    return `${head}(${start}${multiLineLiteral(last.object, typescript, sampleWidth)})${tail}`
  const lines = given.map((argument) => `  ${text(argument, sampleWidth - 1, '  ')},\n`)
  return `${head}(\n${lines.join('')})${tail}`
}

/** Returns the name for the answer: its schema's title in camelCase, plural for a list. */
function answerName({ operation }: SampleRequest): string {
  const schema = sdkAnswer(operation)
  const title = (reference: unknown) => /[^/]*$/.exec(String(reference ?? ''))?.[0] ?? ''
  const item = title((schema.items as { $ref?: string } | undefined)?.$ref)
  const plural = item && operation['x-sdk-shape'] !== 'page' ? `${item}s` : item
  const name = plural || title(schema.$ref)
  // `import` is a keyword.
  return name === 'Import' ? 'importJob' : name.slice(0, 1).toLowerCase() + name.slice(1)
}
