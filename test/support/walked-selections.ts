import type { TestClient } from './app.ts'
import { create } from './create-object.ts'

/** Makers of objects that select records by a filter, for walks. */
export const selectionMakers: Record<string, (org: TestClient) => Promise<string>> = {
  segment_id: (org) =>
    create(org, '/segments', { entity: 'contact', name: 'A' }, ({ data }) => data.segment_id),
  bulk_change_id(org) {
    const change = { entity: 'contact', filter: { field: 'tag', value: 'x' }, change: { archive: true } }
    return create(org, '/bulk-changes', change, ({ data }) => data.bulk_change_id)
  },
}
