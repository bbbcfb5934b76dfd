import type { InputTransformer } from './transformer';

/** Offers the turn's tools to a model that calls tools. */
export const toolDefinitions: InputTransformer = {
  id: 'tool-definitions',
  apply: (request, turn) => (turn.profile.toolTransport === 'native' ? { ...request, tools: turn.toolbox.definitions } : request),
};
