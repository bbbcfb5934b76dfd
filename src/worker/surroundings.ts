import { queryLocalNetworkPermission, type DiagnosisEnvironment } from '../outbound/diagnose';

/** What this browser says of itself, for the connection test. */
export const surroundings: DiagnosisEnvironment = {
  pageOrigin: self.location.origin,
  isOnline: () => navigator.onLine,
  // Only Safari blocks plain HTTP to this very machine; it is told by its name because no feature tells.
  isSafari: /^((?!chrome|chromium|android).)*safari/i.test(navigator.userAgent),
  permission: async (space) =>
    queryLocalNetworkPermission(async (name) => {
      const descriptor: { name: string } = { name };
      return (await navigator.permissions.query(asDescriptor(descriptor))).state;
    }, space),
};

/** The permission's name is newer than the type definitions. */
function asDescriptor(descriptor: { name: string }): PermissionDescriptor {
  return isDescriptor(descriptor) ? descriptor : { name: 'notifications' };
}

function isDescriptor(descriptor: { name: string }): descriptor is PermissionDescriptor {
  return descriptor.name !== '';
}
