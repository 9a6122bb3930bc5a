import { companies } from '../../records/kinds.ts'
import { RecordList } from '../../records/list/page.tsx'

export const CompaniesPage = () => <RecordList kind={companies} />
