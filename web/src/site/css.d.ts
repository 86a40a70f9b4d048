// SPDX-License-Identifier: MIT
// Style sheets are taken into the page's own by the build.
declare module '*.css';
