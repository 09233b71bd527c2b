"""The eyes: pictures become sightings, sightings become changes; and how the eyes are taught."""
