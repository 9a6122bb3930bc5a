import { people } from '../../records/kinds.ts'
import { NewRecordActs } from '../../records/list/new-record-acts.tsx'
import { RecordList } from '../../records/list/page.tsx'

export const PeoplePage = () => (
  <RecordList kind={people} acts={<NewRecordActs kind={people} resource="contacts" />} />
)
