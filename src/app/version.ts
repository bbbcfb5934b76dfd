/** What the settings show; a test keeps it equal to the package's. */
export const APP_VERSION = '0.1.0';
