import type { Endpoint } from './endpoint.ts'
import type { DocumentOperation, DocumentParameter } from './sdk-arguments.ts'

export type SampleRequest = {
  endpoint: Endpoint
  operation: DocumentOperation
  /** The address of the server, without the path of the API. */
  address: string
  /** The query has only required parameters and those of the example. */
  pathValues: Record<string, unknown>
  queryValues: Record<string, unknown>
  /** A file, the JSON of the example, or undefined. */
  body: { file: string } | { json: unknown } | undefined
  /** The version in If-Match; undefined if requests of this kind usually send none. */
  ifMatch: number | undefined
}

/** Returns the request of an operation with the values of its example. */
export function sampleRequest(
  endpoint: Endpoint,
  operation: DocumentOperation,
  address: string,
): SampleRequest {
  const { method, example, streams, body } = endpoint
  const parameters = operation.parameters.filter((one): one is DocumentParameter => 'in' in one)
  const valuesOf = (place: string, isSent: (parameter: DocumentParameter) => boolean | undefined) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && isSent(parameter))
        .map(({ name, example }) => [name, example]),
    )
  const inExample = (name: string) => !body && Object.hasOwn((example as object | undefined) ?? {}, name)
  // PATCH and PUT usually depend on the version that the client read. POST does not.
  const changes = method === 'PATCH' || method === 'PUT'
  const guards = changes && parameters.some(({ name }) => name === 'If-Match')
  return {
    endpoint,
    operation,
    address,
    pathValues: valuesOf('path', () => true),
    queryValues: valuesOf('query', ({ name, required }) => required || inExample(name)),
    body: streams
      ? { file: `${nounOf(endpoint)}.csv` }
      : body && example !== undefined
        ? { json: example }
        : undefined,
    ifMatch: guards ? 1 : undefined,
  }
}

/** The name of the resource that has the method: `contacts` of `contacts.imports.create` and of `contacts.export`. */
export const nounOf = ({ sdk }: Pick<Endpoint, 'sdk'>): string =>
  sdk
    .split('.')
    .slice(0, -1)
    .filter((part, at) => at === 0 || part !== 'imports')
    .at(-1) ?? sdk
