import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'

/** Stores the next piece of an uploaded file. */
export function savePiece(tx: OrgTx, importId: string, piece: number, bytes: Buffer): Promise<number> {
  return tx.run({
    text: 'insert into import_piece (org_id, import_id, piece, bytes) values (app.org_id(), $1, $2, $3)',
    values: [importId, piece, bytes],
  })
}

/** The bytes of an uploaded file, one piece in memory at a time. */
export async function* piecesOf(org: Org, importId: string): AsyncGenerator<Buffer, void> {
  for (let piece = 0; ; piece++) {
    const [row] = await org.readRows<{ bytes: Buffer }>({
      text: 'select bytes from import_piece where org_id = $1 and import_id = $2 and piece = $3',
      values: [org.orgId, importId, piece],
    })
    if (!row) return
    yield row.bytes
  }
}
