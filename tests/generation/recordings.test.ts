import { describe } from 'vitest';
import { CUTTINGS } from '../providers/cuttings';
import { hasFixtures } from '../support/fixtures';
import { readRecordings } from '../support/recordings';
import { describeStoredAnswers } from './stored-answers';

if (!hasFixtures) console.log('Skipped: the recorded answers are not beside the repository.');

describe.skipIf(!hasFixtures)('recorded answers in the imitated database', () => {
  // One cutting tells soon that something broke; a browser runs them all, over its own database.
  describeStoredAnswers(readRecordings(), { 'at random': CUTTINGS['at random'] });
});
