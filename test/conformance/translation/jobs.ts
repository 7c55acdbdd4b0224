// Document 2, the v1 operations: generate, with the request of v2, and the status of a job.
import assert from 'node:assert/strict';
import { free, paid, type Case } from '../case.ts';
import { fetchVideo } from '../video.ts';
import { urlsIn } from '../urls.ts';
import { assertFlat, generate, get, requestOf } from './api.ts';

export const jobs: readonly Case[] = [
  paid('POST /v1/generate takes what v2 takes', ['2.v1.generate'], async (service) => {
    // The document does not show the answer: it may redirect, carry a URL, or name a job.
    const { status, headers, body } = await generate(service, requestOf(), '/v1/generate');
    assert.ok(status < 400, JSON.stringify(body));
    const [url] = [headers.get('location') ?? '', ...urlsIn(body)].filter((found) => found !== '');
    if (url === undefined) assert.match(JSON.stringify(body), /"jobId"/i);
    else assert.ok((await fetchVideo(url)).duration > 0, 'the video lasts');
  }),
  free('a status without job_id is 400', ['2.status.missing', '2.error.status-code'], async (service) => {
    assert.equal(assertFlat(await get(service, '/v1/status/'), 400).error, 'invalid_job_id');
  }),
  free('a malformed job_id is 400', ['2.status.malformed', '2.error.status-code'], async (service) => {
    assert.equal(assertFlat(await get(service, '/v1/status/%21%20%21'), 400).error, 'invalid_job_id');
  }),
];
