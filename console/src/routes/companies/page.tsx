import { companies } from '../../records/kinds.ts'
import { NewRecordActs } from '../../records/list/new-record-acts.tsx'
import { RecordList } from '../../records/list/page.tsx'

export const CompaniesPage = () => (
  <RecordList kind={companies} acts={<NewRecordActs kind={companies} resource="companies" />} />
)
