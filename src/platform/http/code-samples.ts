import { cliSample } from './code-sample-cli.ts'
import { curlSample } from './code-sample-curl.ts'
import { sampleRequest } from './code-sample-request.ts'
import { typescriptSample } from './code-sample-typescript.ts'
import type { Endpoint } from './endpoint.ts'
import type { DocumentOperation } from './sdk-arguments.ts'

/** A program for one operation, as Scalar and Redoc read `x-codeSamples`. */
export type CodeSample = { lang: string; label: string; source: string }

/** Returns the samples of an operation: curl, TypeScript, and the command `crosswalk`. @param address of the server */
export function codeSamples(endpoint: Endpoint, operation: DocumentOperation, address: string): CodeSample[] {
  const request = sampleRequest(endpoint, operation, address)
  return [
    { lang: 'shell', label: 'curl', source: curlSample(request) },
    { lang: 'typescript', label: 'TypeScript', source: typescriptSample(request) },
    // Not `shell`: the reference shows one sample for each language.
    { lang: 'bash', label: 'crosswalk', source: cliSample(request) },
  ]
}
