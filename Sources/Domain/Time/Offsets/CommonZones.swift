/// Zones to suggest to a user, approximately by number of inhabitants with a phone.
enum CommonZones {
    static let names = [
        "America/New_York", "America/Chicago", "America/Los_Angeles", "America/Denver", "America/Phoenix",
        "Asia/Shanghai", "Asia/Tokyo", "Europe/London", "Europe/Berlin", "Europe/Paris", "Europe/Rome", "Europe/Madrid",
        "America/Toronto", "America/Vancouver", "Australia/Sydney", "Asia/Kolkata", "America/Sao_Paulo", "Asia/Seoul",
        "Europe/Moscow", "America/Mexico_City", "Asia/Singapore", "Asia/Hong_Kong", "Asia/Taipei", "Asia/Dubai",
        "Europe/Istanbul", "Asia/Bangkok", "Asia/Jakarta", "Asia/Manila", "Asia/Ho_Chi_Minh", "Asia/Kuala_Lumpur",
        "Europe/Amsterdam", "Europe/Brussels", "Europe/Zurich", "Europe/Vienna", "Europe/Stockholm", "Europe/Oslo",
        "Europe/Copenhagen", "Europe/Warsaw", "Europe/Prague", "Europe/Budapest", "Europe/Dublin", "Europe/Lisbon",
        "Europe/Athens", "Europe/Helsinki", "Europe/Bucharest", "Europe/Kyiv", "Asia/Riyadh", "Asia/Jerusalem",
        "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi", "Africa/Casablanca", "Africa/Algiers",
        "America/Argentina/Buenos_Aires", "America/Bogota", "America/Lima", "America/Santiago", "America/Caracas",
        "America/Halifax", "America/St_Johns", "America/Anchorage", "Pacific/Honolulu", "America/Edmonton",
        "America/Winnipeg", "America/Havana", "America/Montevideo", "America/La_Paz", "America/Puerto_Rico",
        "Australia/Melbourne", "Australia/Brisbane", "Australia/Perth", "Australia/Adelaide", "Australia/Darwin",
        "Pacific/Auckland", "Asia/Karachi", "Asia/Dhaka", "Asia/Kathmandu", "Asia/Colombo", "Asia/Yangon",
        "Asia/Tashkent", "Asia/Almaty", "Asia/Tehran", "Asia/Kabul", "Asia/Baku", "Asia/Tbilisi", "Asia/Yerevan",
        "Asia/Baghdad", "Asia/Beirut", "Asia/Amman", "Asia/Damascus", "Asia/Yekaterinburg", "Asia/Omsk",
        "Asia/Novosibirsk", "Asia/Irkutsk", "Asia/Yakutsk", "Asia/Vladivostok", "Asia/Magadan", "Asia/Kamchatka",
        "Atlantic/Azores", "Atlantic/Cape_Verde", "Atlantic/Reykjavik", "Africa/Abidjan", "Pacific/Fiji",
        "Pacific/Guam", "Pacific/Noumea", "Pacific/Apia", "Pacific/Tongatapu", "Pacific/Chatham", "Pacific/Kiritimati",
        "Pacific/Pago_Pago", "Pacific/Marquesas", "Pacific/Gambier", "Australia/Lord_Howe", "Australia/Eucla",
        "America/Noronha", "America/Nuuk", "UTC",
    ]
}
