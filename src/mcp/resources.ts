import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { allows } from '../auth/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import { isNotFound } from '../platform/domain-error.ts'
import { ValidationError } from '../platform/http/validation.ts'
import { limitedJson } from './result-json.ts'
import type { ToolParts } from './run-tool.ts'
import { type EntityType, entityTypes, recordNames } from './tools/input.ts'

const mimeType = 'application/json'

/** The addresses of the records that a caller may read: one template for each type of record. */
export const resourceTemplates = ({ permissions }: Caller) =>
  entityTypes
    .filter((type) => allows(permissions, `${recordNames[type].plural}:read`))
    .map((type) => ({
      uriTemplate: `crosswalk://${type}/{id}`,
      name: type,
      title: `One ${type}`,
      description: `All fields of the ${type} with this id. Get ids from the tools search and list_records.`,
      mimeType,
    }))

/**
 * Reads the record at an address such as `crosswalk://contact/0198…`, as JSON.
 * @throws ResourceNotFoundError if there is no such record; DomainError, such as a missing permission
 */
export async function readResource(uri: string, { caller, call }: Pick<ToolParts, 'caller' | 'call'>) {
  const [, type, id = ''] = /^crosswalk:\/\/(contact|company|deal)\/([^/?#]+)$/.exec(uri) ?? []
  if (type === undefined) throw new ResourceNotFoundError(uri, noResource(uri))
  const { id: idName } = recordNames[type as EntityType]
  try {
    const { data } = await call(`get_${type}`, { params: { [idName]: id } })
    return { contents: [{ uri, mimeType, text: await limitedJson(caller.payerId, data) }] }
  } catch (error) {
    if (isNotFound(error) || error instanceof ValidationError)
      throw new ResourceNotFoundError(uri, noResource(uri))
    throw error
  }
}

const noResource = (uri: string) =>
  `There is no resource ${uri}. Resources are crosswalk://contact/{id}, crosswalk://company/{id} and crosswalk://deal/{id}`
