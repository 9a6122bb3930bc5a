import type { TestClient } from './app.ts'
import { create } from './create-object.ts'

const triesMax = 50

/** Makers of objects that select records by a filter, for walks. */
export const selectionMakers: Record<string, (org: TestClient) => Promise<string>> = {
  segment_id: (org) =>
    create(org, '/segments', { entity: 'contact', name: 'A' }, ({ data }) => data.segment_id),
  bulk_change_id(org) {
    const change = { entity: 'contact', filter: { field: 'tag', value: 'x' }, change: { archive: true } }
    return create(org, '/bulk-changes', change, ({ data }) => data.bulk_change_id)
  },
  /** A change without records may end before it is canceled: then the next one is tried. */
  async canceled_bulk_change_id(org) {
    for (let tries = 0; tries < triesMax; tries++) {
      const id = (await selectionMakers.bulk_change_id?.(org)) ?? ''
      if ((await org.post(`/bulk-changes/${id}/cancel`)).status === 200) return id
    }
    throw new Error(`No bulk change was canceled in ${triesMax} tries`)
  },
}
