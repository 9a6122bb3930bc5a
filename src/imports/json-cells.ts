import { parseJsonBody } from '../platform/http/json-body.ts'

/**
 * The texts of a cell that is a JSON list of texts; null for other cells. Exports write such a list if an element
 * contains a separator.
 */
export function listIn(cell: string): string[] | null {
  const list = cell.startsWith('[') ? jsonIn(cell) : null
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : null
}

/** Returns the members of a cell that is a JSON object; null for any other cell. */
export function objectIn(cell: string): Record<string, unknown> | null {
  return cell.startsWith('{') ? (jsonIn(cell) as Record<string, unknown> | null) : null
}

function jsonIn(cell: string): unknown {
  try {
    return parseJsonBody(Buffer.from(cell))
  } catch {
    return null
  }
}
