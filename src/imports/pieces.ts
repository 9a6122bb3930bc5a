import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Columns } from '../platform/db/tables.ts'

/**
 * Stores a piece of an uploaded file; the first is number 0. Returns false if the upload is gone: its sandbox was deleted.
 */
export async function savePiece(tx: OrgTx, importId: string, piece: number, bytes: Buffer): Promise<boolean> {
  const saved = await tx.run(sql`
    insert into import_piece (org_id, import_id, piece, bytes)
    select org_id, import_id, ${piece}, ${bytes} from import
    where org_id = ${tx.orgId} and import_id = ${importId} for key share`)
  return saved > 0
}

/** The bytes of an uploaded file, one piece in memory at a time. */
export async function* piecesOf(org: Org, importId: string): AsyncGenerator<Buffer, void> {
  for (let piece = 0; ; piece++) {
    const [row] = await org.readRows(sql<Columns<'import_piece', 'bytes'>>`
      select bytes from import_piece
      where org_id = ${org.orgId} and import_id = ${importId} and piece = ${piece}`)
    if (!row) return
    yield row.bytes
  }
}

/** Deletes the stored file of an import. Returns the number of its pieces. */
export function deletePieces(tx: OrgTx, importId: string): Promise<number> {
  return tx.run(sql`delete from import_piece where org_id = ${tx.orgId} and import_id = ${importId}`)
}
