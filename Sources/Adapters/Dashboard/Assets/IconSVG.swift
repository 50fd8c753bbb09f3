// Made by .ci/embed-web from Web/icon.svg; change that file.
extension WebAsset {
    static let iconSVG = #"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4fb0"/><path d="M5 18h5l3-8 5 13 3-7h6" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>

        """#
}
